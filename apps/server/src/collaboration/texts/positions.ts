import type { CodeChange, TextPosition } from '@bottega/contract';
import { ChangeSet, Text } from '@codemirror/state';
import type { Pace } from '../../foundation/concurrency/pace.ts';
import { invalid } from '../../foundation/http/index.ts';

/**
 * Converts between lines and columns, which clients use, and offsets, which the text uses. Both are in UTF-16 units. A
 * line ends at its newline. A carriage return before it is a character of the line, so files with CRLF or mixed line
 * ends stay intact.
 */

export const textOf = (content: string): Text => Text.of(content.split('\n'));

const sliceLength = 131_072;

/** Like `textOf`, for a long text, with pauses. */
export async function textInSlices(content: string, { maybeYield }: Pace): Promise<Text> {
  let text = Text.empty;
  for (let from = 0; from < content.length; from += sliceLength) {
    text = text.append(textOf(content.slice(from, from + sliceLength)));
    await maybeYield();
  }
  return text;
}

export function positionAt(text: Text, offset: number): TextPosition {
  const line = text.lineAt(offset);
  return { line: line.number, column: offset - line.from + 1 };
}

/** The offset of a position. Null if the text has no such position. */
export function offsetAt(text: Text, { line: number, column }: TextPosition): number | null {
  if (number > text.lines) return null;
  const line = text.line(number);
  return column <= line.length + 1 ? line.from + column - 1 : null;
}

/** The offset of the nearest position that exists. */
export function nearestOffset(text: Text, { line: number, column }: TextPosition): number {
  const line = text.line(Math.min(number, text.lines));
  return number > text.lines ? text.length : Math.min(line.from + column - 1, line.to);
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Whether the offset is between the two halves of a surrogate pair. */
export function splitsPair(text: Text, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const around = text.sliceString(offset - 1, offset + 1);
  return isHigh(around.charCodeAt(0)) && isLow(around.charCodeAt(1));
}

/**
 * Converts a client's changes to a change set of the text that their positions refer to. Throws if they are invalid.
 */
export function asChangeSet(text: Text, changes: readonly CodeChange[]): ChangeSet {
  let reached = 0;
  const specs = changes.map((change, index) => {
    const place = (position: TextPosition, field: string): number => {
      const offset = offsetAt(text, position);
      if (offset === null) throw invalid(`changes.${index}.${field}`, 'is outside the text');
      if (splitsPair(text, offset)) throw invalid(`changes.${index}.${field}`, 'is inside a character');
      return offset;
    };
    const from = place(change.position, 'position');
    const to = change.type === 'insert' ? from : place(change.end, 'end');
    if (to < from) throw invalid(`changes.${index}.end`, 'is before the position');
    if (from < reached) throw invalid(`changes.${index}.position`, 'overlaps or precedes the change before it');
    reached = to;
    const insert = change.type === 'delete' ? '' : change.text;
    if (/\p{Cs}/u.test(insert)) throw invalid(`changes.${index}.text`, 'contains an unpaired surrogate');
    if (insert.includes('\0')) throw invalid(`changes.${index}.text`, 'must not contain NUL characters');
    return { from, to, insert: textOf(insert) };
  });
  return ChangeSet.of(specs, text.length);
}

/** The reverse of `asChangeSet`, for other clients. Positions refer to the text before the change. */
export function asCodeChanges(before: Text, set: ChangeSet): CodeChange[] {
  const changes: CodeChange[] = [];
  set.iterChanges((from, to, _newFrom, _newTo, inserted) => {
    const position = positionAt(before, from);
    const text = inserted.toString();
    if (from === to) changes.push({ type: 'insert', position, text });
    else {
      const end = positionAt(before, to);
      changes.push(text === '' ? { type: 'delete', position, end } : { type: 'replace', position, end, text });
    }
  });
  return changes;
}
