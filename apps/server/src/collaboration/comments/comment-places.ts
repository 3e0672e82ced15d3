import type { TextPosition } from '@bottega/contract';
import * as Y from 'yjs';
import type { Budget } from '../../foundation/concurrency/budget.ts';
import { findNearest } from '../../foundation/text-search/find-text.ts';
import { type LiveText, nearestOffset, offsetAt, positionAt } from '../texts/index.ts';
import type { Anchors, CommentRow } from './comments.sql.ts';

/**
 * Positions of comments. A comment with an end is about the text between its position and its end. A comment without an
 * end is about its line. The position moves with the text. Once nothing of that text is left, the comment is orphaned.
 */

export type Placed = { anchors: Anchors; quoted: string };
export type Place = { position: TextPosition; end: TextPosition | null; orphaned: boolean };

const longestQuote = 10_000;

/** Attaches a comment to the text at its position. Null if the text has no such position. */
export function anchorComment(text: LiveText, position: TextPosition, end: TextPosition | undefined): Placed | null {
  const offset = offsetAt(text.lines.text, position);
  const last = end ? offsetAt(text.lines.text, end) : offset;
  if (offset === null || last === null || last < offset) return null;
  const line = text.lines.text.lineAt(offset);
  const [from, to] = end ? [offset, last] : [line.from, line.to];
  const anchor = (at: number, side: 'before' | 'after') => {
    // A position attaches to the character after it. At the end of the text there is none, so it attaches to the one
    // before.
    const association = side === 'before' || (at === text.lines.text.length && at > 0) ? -1 : 0;
    const relative = Y.createRelativePositionFromTypeIndex(text.content, at, association);
    return Y.encodeRelativePosition(relative);
  };
  return {
    anchors: { textId: text.id, place: anchor(offset, 'after'), from: anchor(from, 'after'), to: anchor(to, 'before') },
    quoted: text.lines.text.sliceString(from, Math.min(to, from + longestQuote)),
  };
}

/** The comment's position in the current text. */
export function placeOf(text: LiveText, row: CommentRow): Place & { from: number; to: number } {
  const [offset, from, to] = [row.anchor_place, row.anchor_from, row.anchor_to].map((anchor) => offsetOf(text, anchor));
  if (offset == null || from == null || to == null) return { ...storedPlace(row), orphaned: true, from: 0, to: 0 };
  const hasEnd = row.end_line !== null;
  return {
    position: positionAt(text.lines.text, hasEnd ? from : offset),
    end: hasEnd ? positionAt(text.lines.text, Math.max(from, to)) : null,
    orphaned: row.quoted_text !== '' && to <= from,
    from,
    to: Math.max(from, to),
  };
}

function offsetOf(text: LiveText, anchor: Buffer | null | undefined): number | null {
  if (!anchor) return null;
  const relative = Y.decodeRelativePosition(anchor);
  const absolute = Y.createAbsolutePositionFromRelativePosition(relative, text.document);
  return absolute && Math.min(absolute.index, text.lines.text.length);
}

/** The position that is stored with the comment, as the client sent it. */
export function storedPlace({ line, column, end_line, end_column, orphaned }: CommentRow): Place {
  const end = end_line === null || end_column === null ? null : { line: end_line, column: end_column };
  return { position: { line, column }, end, orphaned };
}

/**
 * Finds the current positions of comments by the words that they quote. If the words occur several times, the place
 * nearest to the old position counts. This is for comments whose text is gone or never existed. A comment without a
 * quote, or beyond the budget, keeps the position that the client sent.
 */
export function searchPlaces(
  { lines: { text, whole } }: LiveText,
  budget: Budget,
): (row: CommentRow) => Promise<Place> {
  // The text is read once for all comments, so that all positions are from the same moment.
  return async (row) => {
    const stored = storedPlace(row);
    if (row.quoted_text.trim() === '') return stored;
    const near = nearestOffset(text, { line: row.line, column: 1 });
    const nearest = await findNearest(whole, row.quoted_text, { near, budget });
    if (nearest === undefined) return stored;
    if (nearest === null) return { ...stored, orphaned: true };
    const position = positionAt(text, nearest);
    if (row.end_line !== null) {
      return { position, end: positionAt(text, nearest + row.quoted_text.length), orphaned: false };
    }
    return { position: { line: position.line, column: row.column }, end: null, orphaned: false };
  };
}
