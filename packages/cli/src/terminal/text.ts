/** Terminal colours. If colours are off, each function returns the text unchanged. */
export type Colours = Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>;

const codes: Record<keyof Colours, [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export function coloursFor(isOn: boolean): Colours {
  const entries = Object.entries(codes).map(([name, [on, off]]) => [
    name,
    (text: string) => (isOn ? `\u001b[${on}m${text}\u001b[${off}m` : text),
  ]);
  return Object.fromEntries(entries) as Colours;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const sequences = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const colourings = /(\u001b\[[\d;]*m)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
const reset = '\u001b[0m';

/**
 * Turns somebody else's text into one line that is safe for a terminal. The result cannot move the cursor, set a title,
 * write to the clipboard or change the reading order. Builds may colour their log if the terminal has colours. The
 * colours end with the line.
 */
export function printable(text: string, { keepColours = false } = {}): string {
  if (!keepColours) return text.replaceAll(sequences, '').replaceAll(controls, '');
  const parts = text.split(colourings);
  const last = parts.findLast((_part, at) => at % 2 === 1) ?? reset;
  return coloured(parts) + (last === reset ? '' : reset);
}

const coloured = (parts: string[]): string => parts.map((part, at) => (at % 2 === 1 ? part : printable(part))).join('');

/** Like `printable`, for several lines. All output passes through here, so no command can forget it. */
export function visible(text: string, hasColours = false): string {
  const lines = text.split('\n');
  return lines.map((line) => (hasColours ? coloured(line.split(colourings)) : printable(line))).join('\n');
}

/** Makes JSON safe for a terminal. In JSON, control characters can be escaped instead of removed. */
export const visibleJson = (json: string): string =>
  json.replaceAll(controls, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Columns of text, each as wide as its widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], colours: Colours): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => printable(cell)));
  const widths = head.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), 0),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line, at) => (at === 0 ? colours.dim(line) : line)).join('\n');
}

/** Names and values, in one line each. */
export function details(rows: readonly (readonly [name: string, value: string | null | undefined])[]): string {
  const shown = rows.filter(([, value]) => value);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${printable(value ?? '')}`).join('\n');
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function sizeInWords(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

const steps: [seconds: number, unit: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** How long ago something happened, in one unit. */
export function agoInWords(timestamp: string | null, now = Date.now()): string {
  if (timestamp === null) return 'never';
  const seconds = Math.max(0, Math.round((now - Date.parse(timestamp)) / 1000));
  const [size, unit] = steps.find(([step]) => seconds >= step) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit} ago`;
}
