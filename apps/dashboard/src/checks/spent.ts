/** Time that something took, in its two largest units: 4 s, 3 min 5 s, 1 h 2 min. */
export function spent(seconds: number, language: string): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const;
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first < 0 ? 2 : first)
    .slice(0, 2)
    .filter(([amount], index) => amount > 0 || index === 0)
    .map(([amount, unit]) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(amount),
    )
    .join(' ');
}
