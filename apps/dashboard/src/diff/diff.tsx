import './diff.css';
import '../kit/code-colours.css';
import { Box } from '@mantine/core';
import { type CSSProperties, useEffect, useMemo, useState } from 'react';
import { Near } from '../kit/near.tsx';
import { DiffBlock } from './diff-block.tsx';
import { moveInDiff } from './diff-keys.ts';
import { type DiffView, inBlocks, rowsOf } from './diff-rows.ts';
import type { LineNotes } from './line-notes.ts';
import { type DiffLine, parseDiff } from './parse-diff.ts';
import type { Piece } from './pieces.ts';

/** The height of a line that is not wrapped, in pixels. */
const lineHeight = 18;

type Props = {
  diff: string;
  path: string;
  label: string;
  view?: DiffView;
  /** The comments about lines, and how to add one. */
  notes?: LineNotes | undefined;
};

/**
 * A unified diff as numbered lines. Screen readers read the sign too, so that colour is never the only mark. Only the
 * lines near the window are in the page, because a diff may have tens of thousands.
 */
export function Diff({ diff, path, label, view = 'unified', notes }: Props) {
  const lines = useMemo(() => parseDiff(diff), [diff]);
  const pieces = usePieces(lines, path);
  const blocks = useMemo(() => inBlocks(rowsOf(lines, view)), [lines, view]);
  const digits = useMemo(() => digitsIn(lines), [lines]);
  return (
    <section className="diff" data-view={view} aria-label={label} style={{ '--digits': digits } as CSSProperties}>
      <Box
        role={notes?.choosing ? 'grid' : 'table'}
        aria-label={label}
        {...(notes?.choosing && { onKeyDown: moveInDiff(notes.choosing) })}
      >
        {blocks.map((rows, index) => (
          <Near
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff never change places
            key={index}
            role="rowgroup"
            estimate={rows.length * lineHeight}
            startsNear={index === 0}
          >
            {() => <DiffBlock rows={rows} lines={lines} pieces={pieces} notes={notes} />}
          </Near>
        ))}
      </Box>
    </section>
  );
}

const digitsIn = (lines: readonly DiffLine[]): number =>
  String(lines.reduce((most, { before, after }) => Math.max(most, before ?? 0, after ?? 0), 0)).length;

/**
 * Returns the coloured pieces of the lines. The text is shown before, because the parser of the language has to be
 * loaded first.
 */
function usePieces(lines: readonly DiffLine[], path: string): Piece[][] | null {
  const [found, setFound] = useState<{ lines: readonly DiffLine[]; pieces: Piece[][] } | null>(null);
  useEffect(() => {
    let isOld = false;
    const find = async () => {
      const { piecesOf } = await import('./pieces.ts');
      const pieces = await piecesOf(lines, path);
      if (!isOld) setFound({ lines, pieces });
    };
    // If the colours cannot be computed, the text is still complete.
    find().catch(() => undefined);
    return () => {
      isOld = true;
    };
  }, [lines, path]);
  return found?.lines === lines ? found.pieces : null;
}
