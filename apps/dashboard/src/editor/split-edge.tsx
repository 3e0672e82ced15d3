import { Edge, useKeptLength } from '../kit/edge.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';

/** Shares of the first group, in per cent of the width of both groups. */
const shares = { least: 20, most: 80, usual: 50, step: 5 };

/** The share of the first of two groups, stored in this browser. */
export const useSplitShare = () => useKeptLength('bottega-split-share', shares);

/** The edge between two groups of tabs. */
export function SplitEdge({ share, set }: { share: number; set: (share: number) => void }) {
  const words = useWords(editorWords);
  return (
    <Edge
      className="split-edge"
      label={words.splitShare}
      orientation="vertical"
      lengths={shares}
      length={share}
      set={set}
      lengthAt={({ clientX }, { left, width }) => ((clientX - left) / width) * 100}
    />
  );
}
