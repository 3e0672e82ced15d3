/**
 * The registered part of a name, by which authorities count. It is guessed from the form of the name: short second
 * labels of country domains, such as `co.uk` and `com.au`, count as registries. If a guess is wrong, too many names are
 * counted together. In the worst case, other accounts then have to wait for a week because one account has requested
 * many certificates.
 */
export function registeredDomain(name: string): string {
  const labels = name.split('.');
  const [second = '', last = ''] = labels.slice(-2);
  const isSoldBelow =
    labels.length > 2 && last.length === 2 && /^(ac|co|com|edu|gov|gob|go|ne|net|or|org|gen|ltd|plc)$/.test(second);
  return labels.slice(isSoldBelow ? -3 : -2).join('.');
}
