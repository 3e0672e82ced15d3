import { seedOf } from './seed.ts';

/**
 * Three rows of five cells. The two right columns mirror the two left ones, because symmetric shapes are easy to tell
 * apart.
 */
const columns = [0, 1, 2, 1, 0];
const cells = [0, 1, 2, 3, 4].flatMap((y) => columns.map((source, x) => ({ x, y, bit: y * 3 + source })));

/** A picture that is derived from the project's id. */
export function ProjectIcon({ id, size = 20 }: { id: string; size?: number }) {
  const seed = seedOf(id);
  return (
    <svg
      width={size}
      height={size}
      viewBox="-1 -1 7 7"
      aria-hidden
      className="project-icon"
      style={{ '--hue': seed % 360 } as object}
    >
      <rect x={-1} y={-1} width={7} height={7} rx={1} />
      {cells
        .filter(({ bit }) => (seed >>> (bit + 8)) & 1)
        .map(({ x, y }) => (
          <path key={`${x},${y}`} d={`M${x} ${y}h1v1h-1z`} />
        ))}
    </svg>
  );
}
