import { seedOf } from '../kit/seed.ts';

/** Two paths in an area of 120 by 48: the background, and the drawing on it. */
type Drawing = { hue: number; soft: string; ink: string };

/** Returns an integer within a range. The result differs from position to position. */
type Choose = (position: number, from: number, to: number) => number;
type Motif = (pick: Choose) => { soft: string[]; ink: string[] };

const bar = (x: number, y: number, width: number, height: number): string => `M${x} ${y}h${width}v${height}h${-width}z`;
const rows = <Row>(count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, at) => row(at));

/** Drawings by category; templates that users publish may have any category. */
const motifs: Record<string, Motif> = {
  web: (pick) => ({
    soft: [bar(30, 8, 60, 40)],
    ink: [
      bar(30, 8, 60, 5),
      bar(36, 19, pick(0, 18, 34), 4),
      bar(36, 28, 20, 20),
      ...rows(3, (at) => bar(61, 29 + at * 6, pick(at, 12, 23), 2)),
    ],
  }),
  documentation: (pick) => ({
    soft: [bar(34, 6, 52, 42)],
    ink: [
      bar(53, 12, pick(0, 14, 24), 4),
      ...rows(4, (at) => bar(39, 13 + at * 6, 9, 2)),
      ...rows(5, (at) => bar(53, 21 + at * 5, pick(at, 16, 28), 2)),
    ],
  }),
  api: (pick) => ({
    soft: rows(4, (at) => bar(47, 7 + at * 10, pick(at, 22, 46), 6)),
    ink: rows(4, (at) => bar(27, 7 + at * 10, pick(at + 5, 11, 16), 6)),
  }),
  script: (pick) => ({
    soft: [bar(28, 8, 64, 40)],
    ink: [
      'M34 14l7 6l-7 6v-4l2-2l-2-2z',
      bar(44, 22, pick(0, 12, 26), 3),
      ...rows(3, (at) => bar(34, 30 + at * 6, pick(at, 20, 50), 2)),
    ],
  }),
  starter: (pick) => ({
    soft: [bar(43, 6, 34, 42)],
    ink: [bar(48, 13, pick(0, 14, 24), 4), bar(48, 21, pick(1, 8, 22), 2)],
  }),
  library: (pick) => ({
    soft: [bar(33, 26, 26, 22), bar(61, 26, 26, 22)],
    ink: [bar(34 + pick(0, 4, 22), 6, 26, 18), bar(43, 26, 6, 7), bar(71, 26, 6, 7)],
  }),
  realtime: (pick) => ({
    soft: [bar(28, 8, pick(0, 34, 46), 11), 'M32 19h6l-6 5z', bar(28, 39, pick(2, 24, 38), 9)],
    ink: [bar(92 - pick(1, 30, 42), 24, pick(1, 30, 42), 11), 'M88 35h-6l6 5z'],
  }),
};

const skyline: Motif = (pick) => {
  const heights = rows(10, (at) => pick(at, 6, 38));
  const column = (at: number) => bar(31 + at * 6, 48 - (heights[at] ?? 0), 5, heights[at] ?? 0);
  const all = rows(10, column);
  return { soft: all.filter((_, at) => at % 2 === 1), ink: all.filter((_, at) => at % 2 === 0) };
};

export function templateDrawing({ id, category }: { id: string; category: string }): Drawing {
  const seed = seedOf(id);
  const pick: Choose = (position, from, to) => from + (seedOf(`${id} ${position}`) % (to - from + 1));
  const motif = Object.hasOwn(motifs, category) ? motifs[category] : undefined;
  const { soft, ink } = (motif ?? skyline)(pick);
  return { hue: seed % 360, soft: soft.join(''), ink: ink.join('') };
}
