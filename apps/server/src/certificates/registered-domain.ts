/**
 * The registered part of a name, by which authorities count. It is guessed from the form of the name: short second
 * labels of country domains, such as `co.uk` and `com.au`, count as registries. A wrong guess counts too many names
 * together. In the worst case, a greedy account then makes other accounts wait for a week.
 */
export function registeredDomain(name: string): string {
  const labels = name.split('.');
  const [second = '', last = ''] = labels.slice(-2);
  const isSoldBelow =
    labels.length > 2 && last.length === 2 && /^(ac|co|com|edu|gov|gob|go|ne|net|or|org|gen|ltd|plc)$/.test(second);
  return labels.slice(isSoldBelow ? -3 : -2).join('.');
}
