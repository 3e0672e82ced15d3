import type { CheckAnnotation } from '@bottega/contract';

/** What a check says about a line of a file, with the path as the command names it. */
export type Said = CheckAnnotation;

const levels = new Map<string, CheckAnnotation['annotation_level']>([
  ['error', 'failure'],
  ['warning', 'warning'],
  ['notice', 'notice'],
]);
const longestTitle = 255;

/**
 * A line such as `::error file=src/a.ts,line=3,title=Type error::x is not a number`, which many tools print for GitHub.
 * Null for any other line, and for a command that names no file.
 */
export function commandOf(line: string): Said | null {
  const text = line.trimStart();
  if (!text.startsWith('::')) return null;
  const end = text.indexOf('::', 2);
  if (end < 0) return null;
  const head = text.slice(2, end);
  const space = head.indexOf(' ');
  const level = levels.get(space < 0 ? head : head.slice(0, space));
  if (!level || space < 0) return null;
  const properties = propertiesIn(head.slice(space + 1));
  const path = properties.get('file');
  const message = decoded(text.slice(end + 2), messageEscapes).trimEnd();
  if (path === undefined || message === '') return null;
  const startLine = lineOf(properties.get('line')) ?? 1;
  const endLine = lineOf(properties.get('endLine')) ?? startLine;
  const title = (properties.get('title') ?? '')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, longestTitle)
    .toWellFormed();
  return {
    path,
    start_line: startLine,
    end_line: Math.max(startLine, endLine),
    annotation_level: level,
    title,
    message,
  };
}

function propertiesIn(text: string): Map<string, string> {
  const pairs = text.split(',').map((pair) => {
    const equals = pair.indexOf('=');
    return [pair.slice(0, equals).trim(), decoded(pair.slice(equals + 1), propertyEscapes)] as const;
  });
  return new Map(pairs.filter(([name]) => name !== ''));
}

const messageEscapes: Record<string, string> = { '%25': '%', '%0D': '\r', '%0A': '\n' };
const propertyEscapes: Record<string, string> = { ...messageEscapes, '%3A': ':', '%2C': ',' };

const decoded = (text: string, escapes: Record<string, string>): string =>
  text.replaceAll(/%[0-9A-F]{2}/gi, (code) => escapes[code.toUpperCase()] ?? code);

export function lineOf(text: string | undefined): number | null {
  const line = text !== undefined && /^\d{1,8}$/.test(text.trim()) ? Number(text) : 0;
  return line >= 1 && line <= 10_000_000 ? line : null;
}
