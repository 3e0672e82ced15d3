import { useLocalStorage } from '@mantine/hooks';
import { useWords } from '../words/words.tsx';
import { runWords } from './run.words.ts';

const lowest = 120;
const highest = 900;
const usual = 300;
const step = 20;

const within = (height: number): number => Math.round(Math.min(Math.max(height, lowest), highest));

/** The pane's height, stored in this browser. */
export const useRunHeight = () =>
  useLocalStorage({
    key: 'bottega-run-height',
    defaultValue: usual,
    getInitialValueInEffect: false,
    deserialize: (value) => within(Number(value) || usual),
  });

/** The edge between editor and pane, which is moved like the edge beside the tree. */
export function RunEdge({ height, set }: { height: number; set: (height: number) => void }) {
  const words = useWords(runWords);
  const keys: Record<string, number> = {
    ArrowUp: height + step,
    ArrowDown: height - step,
    Home: highest,
    End: lowest,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved, and this separator can
    <div
      className="run-edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label={words.height}
      aria-valuenow={height}
      aria-valuemin={lowest}
      aria-valuemax={highest}
      tabIndex={0}
      onKeyDown={(event) => {
        const wanted = keys[event.key];
        if (wanted === undefined) return;
        event.preventDefault();
        set(within(wanted));
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientY }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        set(within((currentTarget.parentElement?.getBoundingClientRect().bottom ?? 0) - clientY));
      }}
      onDoubleClick={() => set(usual)}
    />
  );
}
