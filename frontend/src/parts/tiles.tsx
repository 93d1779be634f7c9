/** A choice of one value, with a tile for each. */
export function Tiles<Value extends string | number>({
  legend,
  name,
  values,
  chosen,
  choose,
  textOf,
}: {
  legend: string;
  name: string;
  values: readonly Value[];
  chosen: Value | undefined;
  choose: (value: Value) => void;
  textOf: (value: Value) => string;
}) {
  return (
    <fieldset class="tabs tiles">
      <legend>{legend}</legend>
      {values.map((value) => (
        <label key={value}>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => choose(value)} />
          <span>{textOf(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}
