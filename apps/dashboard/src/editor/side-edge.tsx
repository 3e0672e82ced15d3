import { useLocalStorage } from '@mantine/hooks';
import { useWords } from '../words/words.tsx';
import { editorWords } from './editor.words.ts';

const narrowest = 160;
const widest = 560;
const usual = 260;
const step = 20;

const within = (width: number): number => Math.round(Math.min(Math.max(width, narrowest), widest));

/** The tree's width, stored in this browser. */
export const useSideWidth = () =>
  useLocalStorage({
    key: 'bottega-side-width',
    defaultValue: usual,
    getInitialValueInEffect: false,
    deserialize: (value) => within(Number(value) || usual),
  });

/**
 * The edge between tree and editor: dragged with the pointer, or moved with the arrow keys; a double click resets it.
 */
export function SideEdge({ width, set }: { width: number; set: (width: number) => void }) {
  const words = useWords(editorWords);
  const keys: Record<string, number> = {
    ArrowLeft: width - step,
    ArrowRight: width + step,
    Home: narrowest,
    End: widest,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved, and this separator can
    <div
      className="side-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={words.sideWidth}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      onKeyDown={(event) => {
        const wanted = keys[event.key];
        if (wanted === undefined) return;
        event.preventDefault();
        set(within(wanted));
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        set(within(clientX - (currentTarget.parentElement?.getBoundingClientRect().left ?? 0)));
      }}
      onDoubleClick={() => set(usual)}
    />
  );
}
