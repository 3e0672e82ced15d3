/**
 * The part of a name that somebody has registered, which authorities count by. By its form: a registry of a country with short
 * second labels, such as `co.uk` and `com.au`, sells the third. Where that is wrong, more names are counted together than
 * have to be, which costs a week's wait where one account of many is greedy, and nothing else.
 */
export function registeredDomain(name: string): string {
  const labels = name.split('.');
  const [second = '', last = ''] = labels.slice(-2);
  const isSoldBelow =
    labels.length > 2 && last.length === 2 && /^(ac|co|com|edu|gov|gob|go|ne|net|or|org|gen|ltd|plc)$/.test(second);
  return labels.slice(isSoldBelow ? -3 : -2).join('.');
}
