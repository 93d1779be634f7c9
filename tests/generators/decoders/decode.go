package azul

import (
	"encoding/json"
	"io"
	"os"
	"testing"
)

// TestDecode decodes the value of each line as the model of its schema, and prints the number of lines.
func TestDecode(t *testing.T) {
	file, err := os.Open(os.Getenv("ANSWERS"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for decoder := json.NewDecoder(file); ; count++ {
		var answer struct {
			Schema string
			Value  json.RawMessage
		}
		if err := decoder.Decode(&answer); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(answer.Value, models[answer.Schema]()); err != nil {
			t.Error(answer.Schema, err)
		}
	}
	println(count)
}
