import { Edge, useKeptLength } from '../kit/edge.tsx';
import { useWords } from '../words/words.tsx';
import { runWords } from './run.words.ts';

const heights = { least: 120, most: 900, usual: 300, step: 20 };

/** The pane's height, stored in this browser. */
export const useRunHeight = () => useKeptLength('bottega-run-height', heights);

/** The edge between editor and pane. */
export function RunEdge({ height, set }: { height: number; set: (height: number) => void }) {
  const words = useWords(runWords);
  return (
    <Edge
      className="run-edge"
      label={words.height}
      orientation="horizontal"
      lengths={heights}
      length={height}
      set={set}
      lengthAt={({ clientY }, { bottom }) => bottom - clientY}
    />
  );
}
