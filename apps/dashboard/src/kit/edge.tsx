import { useLocalStorage } from '@mantine/hooks';

/** The lengths that a pane may have. */
export type Lengths = { least: number; most: number; usual: number; step: number };

const within = ({ least, most }: Lengths, length: number): number =>
  Math.round(Math.min(Math.max(length, least), most));

/** A length that this browser stores. */
export const useKeptLength = (key: string, lengths: Lengths) =>
  useLocalStorage({
    key,
    defaultValue: lengths.usual,
    getInitialValueInEffect: false,
    deserialize: (value) => within(lengths, Number(value) || lengths.usual),
  });

type Props = {
  className: string;
  label: string;
  /** A vertical edge is at the end of its pane. A horizontal one is above it. */
  orientation: 'vertical' | 'horizontal';
  lengths: Lengths;
  length: number;
  set: (length: number) => void;
  /** The length of the pane if its edge is at this point of the box around the edge. */
  lengthAt: (point: { clientX: number; clientY: number }, box: DOMRect) => number;
};

/** The edge of a pane: dragged with the pointer, or moved with the arrow keys; a double click resets it. */
export function Edge({ className, label, orientation, lengths, length, set, lengthAt }: Props) {
  const { least, most, usual, step } = lengths;
  const keys: Record<string, number> =
    orientation === 'vertical'
      ? { ArrowLeft: length - step, ArrowRight: length + step, Home: least, End: most }
      : { ArrowUp: length + step, ArrowDown: length - step, Home: most, End: least };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved, and this separator can
    <div
      className={className}
      role="separator"
      aria-orientation={orientation}
      aria-label={label}
      aria-valuenow={length}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onKeyDown={(event) => {
        const wanted = keys[event.key];
        if (wanted === undefined) return;
        event.preventDefault();
        set(within(lengths, wanted));
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        const { currentTarget, pointerId } = event;
        const box = currentTarget.parentElement?.getBoundingClientRect();
        if (box && currentTarget.hasPointerCapture(pointerId)) set(within(lengths, lengthAt(event, box)));
      }}
      onDoubleClick={() => set(usual)}
    />
  );
}
