/** Creates a value at the first call. Later calls return the same value, even if it is a rejected promise. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
