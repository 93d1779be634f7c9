/** Decode the value of each line as the model of its schema, and print the number of lines. */
package decoders

import java.io.File
import kotlinx.serialization.json.decodeFromJsonElement
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.serializer
import org.openapitools.client.infrastructure.Serializer

fun main(arguments: Array<String>) {
    val json = Serializer.kotlinxSerializationJson
    val lines = File(arguments[0]).readLines()
    for (line in lines) {
        val answer = json.parseToJsonElement(line).jsonObject
        val model = Class.forName("org.openapitools.client.models." + answer.getValue("schema").jsonPrimitive.content)
        json.decodeFromJsonElement(serializer(model), answer.getValue("value"))
    }
    println(lines.size)
}
