const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function inBytes(bytes: number, language: string): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)));
  const unit = units[step] ?? 'byte';
  // The short form of the unit byte has no plural, so the long form is used.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 }).format(
    bytes / 1024 ** step,
  );
}

const spans = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A duration in its largest unit, such as 3 days or 20 seconds. */
export function lasting(seconds: number, language: string): string {
  const [unit, length] = spans.find(([, size]) => seconds >= size) ?? (['second', 1] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 }).format(
    Math.floor(seconds / length),
  );
}
