import { createHash } from 'node:crypto';

const cells = 5;
const cellSize = 16;
const margin = 8;
const side = cells * cellSize + 2 * margin;

/**
 * A mirrored pattern and a hue that depend only on the user's id. Nothing is looked up, so the picture does not reveal
 * whether a user exists, and it can be cached forever.
 */
export function avatarSvg(userId: string): string {
  const bytes = createHash('sha256').update(userId).digest();
  const hue = Math.round(((bytes[0] ?? 0) / 256) * 360);
  const squares: string[] = [];
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const mirrored = Math.min(column, cells - 1 - column);
      if ((bytes[1 + row * 3 + mirrored] ?? 0) % 2 === 0) continue;
      const x = margin + column * cellSize;
      const y = margin + row * cellSize;
      squares.push(`M${x} ${y}h${cellSize}v${cellSize}h-${cellSize}z`);
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img" aria-label="Avatar">` +
    `<rect width="${side}" height="${side}" fill="hsl(${hue} 60% 92%)"/>` +
    `<path fill="hsl(${hue} 55% 45%)" d="${squares.join('')}"/></svg>`
  );
}
