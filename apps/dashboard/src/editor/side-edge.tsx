import { Edge, useKeptLength } from '../kit/edge.tsx';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';

const widths = { least: 160, most: 560, usual: 260, step: 20 };

/** The tree's width, stored in this browser. */
export const useSideWidth = () => useKeptLength('bottega-side-width', widths);

/** The edge between tree and editor. */
export function SideEdge({ width, set }: { width: number; set: (width: number) => void }) {
  const words = useWords(editorWords);
  return (
    <Edge
      className="side-edge"
      label={words.sideWidth}
      orientation="vertical"
      lengths={widths}
      length={width}
      set={set}
      lengthAt={({ clientX }, { left }) => clientX - left}
    />
  );
}
