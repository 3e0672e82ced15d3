import type { ReactNode } from 'react';
import { placeOf, type Side } from './diff-rows.ts';
import type { Choosing } from './line-notes.ts';
import type { DiffLine } from './parse-diff.ts';

const signs = { added: '+', removed: '-', same: ' ', place: '' } as const;

type LineProps = {
  line: DiffLine | null | undefined;
  text: ReactNode;
  isStop: boolean;
  choosing: Choosing | undefined;
  cell: string;
};

/** A line of the unified view. */
export function Whole({ line, text, cell, ...button }: LineProps) {
  if (!line) return null;
  return (
    <>
      <Numbers place={placeOf(line)} numbers={[line.before, line.after]} cell={cell} {...button} />
      <Code line={line} text={text} cell={cell} />
    </>
  );
}

/** One side of a line in the split view. */
export function Half({ line, side, text, cell, ...button }: LineProps & { side: Side }) {
  const number = side === 'LEFT' ? line?.before : line?.after;
  return (
    <>
      <Numbers place={number ? { side, line: number } : null} numbers={[number ?? null]} cell={cell} {...button} />
      <Code line={line} text={text} cell={cell} />
    </>
  );
}

function Code({ line, text, cell }: Pick<LineProps, 'line' | 'text' | 'cell'>) {
  return (
    <div role={cell} className="diff-text" data-kind={line?.kind}>
      {line && line.kind !== 'place' && <span className="diff-sign">{signs[line.kind]}</span>}
      {text}
    </div>
  );
}

type NumbersProps = Pick<LineProps, 'isStop' | 'choosing' | 'cell'> & {
  place: { side: Side; line: number } | null;
  numbers: readonly (number | null)[];
};

/**
 * The line numbers. They are a button if the reader can comment on the line. The name of the button contains the
 * number.
 */
function Numbers({ place, numbers, isStop, choosing, cell }: NumbersProps) {
  const [first, second] = numbers;
  if (!place || !choosing?.takes(place.side)) {
    return (
      <div role={cell} className="diff-numbers">
        <span>{first}</span>
        {second !== undefined && <span>{second}</span>}
      </div>
    );
  }
  const { side, line } = place;
  return (
    <div role={cell} className="diff-numbers" data-chosen={choosing.isChosen(side, line) || undefined}>
      <button
        type="button"
        tabIndex={isStop ? 0 : -1}
        data-side={side}
        data-line={line}
        aria-label={choosing.label(side, line)}
        onPointerDown={({ shiftKey, button }) => {
          if (shiftKey || button !== 0) return;
          choosing.begin(side, line);
          // The end of the drag is awaited on the window, because a drag may end anywhere.
          window.addEventListener('pointerup', () => choosing.finish(), { once: true });
        }}
        onPointerEnter={({ buttons }) => {
          if (buttons === 1) choosing.extend(side, line);
        }}
        onClick={({ shiftKey }) => choosing.open(side, line, shiftKey)}
      >
        <span data-number={first ?? ''} />
        {second !== undefined && <span data-number={second ?? ''} />}
      </button>
    </div>
  );
}
