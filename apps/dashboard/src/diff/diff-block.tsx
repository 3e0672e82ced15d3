import { Fragment, memo, type ReactNode } from 'react';
import { Half, Whole } from './diff-line.tsx';
import type { DiffRow, Side } from './diff-rows.ts';
import type { LineNotes } from './line-notes.ts';
import type { DiffLine } from './parse-diff.ts';
import type { Piece } from './pieces.ts';

type Props = {
  rows: readonly DiffRow[];
  lines: readonly DiffLine[];
  pieces: Piece[][] | null;
  notes: LineNotes | undefined;
};

/** Rows are not `tr` elements, because blocks of lines enter and leave the page. */
const row = { role: 'row' };

/** Some lines of a diff, with the comments and remarks about them. */
export const DiffBlock = memo(function DiffBlock({ rows, lines, pieces, notes }: Props) {
  const cell = notes?.choosing ? 'gridcell' : 'cell';
  // The Tab key stops only at the first line of a block. The arrow keys lead to the others.
  const stop = rows.findIndex(({ right, left }) => lines[right ?? left ?? 0]?.kind !== 'place');
  return rows.map(({ left, right, isWhole }, at) => {
    const shown = [...new Set([left, right])].filter((index) => index !== null);
    const first = shown[0] ?? 0;
    const half = (index: number | null, side: Side) => (
      <Half
        line={index === null ? null : lines[index]}
        text={index === null ? '' : (piecesIn(pieces?.[index]) ?? lines[index]?.text)}
        side={side}
        isStop={at === stop}
        choosing={notes?.choosing}
        cell={cell}
      />
    );
    return (
      <Fragment key={first}>
        <div {...row} className="diff-row" data-kind={lines[first]?.kind} data-change={isChange(lines, first)}>
          {isWhole ? (
            <Whole
              line={lines[first]}
              text={piecesIn(pieces?.[first]) ?? lines[first]?.text}
              isStop={at === stop}
              choosing={notes?.choosing}
              cell={cell}
            />
          ) : (
            <>
              {half(left, 'LEFT')}
              {half(right, 'RIGHT')}
            </>
          )}
        </div>
        {notes && <Notes lines={shown.map((index) => lines[index])} notes={notes} cell={cell} />}
      </Fragment>
    );
  });
});

/** Whether a change begins at this line. Keyboard shortcuts go from one change to the next. */
const isChange = (lines: readonly DiffLine[], index: number): true | undefined => {
  const isChanged = (line: DiffLine | undefined) => line?.kind === 'added' || line?.kind === 'removed';
  return (isChanged(lines[index]) && !isChanged(lines[index - 1])) || undefined;
};

const piecesIn = (pieces: Piece[] | undefined): ReactNode =>
  pieces?.map(({ text, look, isChanged }, index) => {
    if (!look && !isChanged) return text;
    const Tag = isChanged ? 'mark' : 'span';
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and never change places
      <Tag key={index} {...(look && { className: look })}>
        {text}
      </Tag>
    );
  });

type NotesProps = { lines: (DiffLine | undefined)[]; notes: LineNotes; cell: string };

function Notes({ lines, notes, cell }: NotesProps) {
  const [before, after] = [lines[0]?.before, lines.at(-1)?.after];
  const left = before ? notes.below('LEFT', before) : null;
  const right = after ? notes.below('RIGHT', after) : null;
  if (left === null && right === null) return null;
  return (
    <div {...row} className="diff-notes">
      <div role={cell}>
        {left}
        {right}
      </div>
    </div>
  );
}
