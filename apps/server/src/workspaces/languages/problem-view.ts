import type { WorkspaceProblem } from '@bottega/contract';
import { type Fields, fieldsOf } from './messages.ts';

export type Problem = WorkspaceProblem;

const severities = ['error', 'warning', 'information', 'hint'] as const;
const mostText = 2_000;

/** Converts a problem that a language server reported. The report may contain anything, so every field is checked. */
export function problemOf(path: string, item: Fields): Problem {
  const { range, severity, message, code, source } = item;
  const { start, end } = fieldsOf(range);
  return {
    path,
    line: countOf(fieldsOf(start).line) + 1,
    column: countOf(fieldsOf(start).character) + 1,
    end_line: countOf(fieldsOf(end).line) + 1,
    end_column: countOf(fieldsOf(end).character) + 1,
    severity: severities[Number(severity) - 1] ?? 'error',
    message: textOf(message) ?? '',
    code: typeof code === 'number' ? String(code) : textOf(code),
    source: textOf(source),
  };
}

const countOf = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? Math.min(value as number, 1_000_000_000) : 0;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, mostText) : null);
