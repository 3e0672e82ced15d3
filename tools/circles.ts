/** Circular imports: between files, and between sibling folders. */

export type Import = { from: string; to: string };

/** One line for each circle, whether values or types are imported. Tests may import anything. */
export function circlesOf(imports: readonly Import[], isFree: (file: string) => boolean): string[] {
  const ofFiles = imports.filter(({ to }) => /\.tsx?$/.test(to) && !to.startsWith('..'));
  const ofFolders = ofFiles.filter(({ from, to }) => !isFree(from) && !isFree(to)).flatMap(betweenNeighbours);
  return [
    ...findCircles(ofFiles).map((circle) => `a circle: ${circle.join(' → ')}`),
    ...findCircles(ofFolders).map((circle) => `a circle of folders: ${circle.join(' → ')}`),
  ];
}

/** The two folders below their last common folder. A file beside a folder does not count, since it composes folders. */
function betweenNeighbours({ from, to }: Import): Import[] {
  const [here, there] = [from.split('/').slice(0, -1), to.split('/').slice(0, -1)];
  const shared = here.findIndex((name, index) => name !== there[index]);
  if (shared < 0 || shared >= there.length) return [];
  return [{ from: here.slice(0, shared + 1).join('/'), to: there.slice(0, shared + 1).join('/') }];
}

/** Each circle is reported once, from its first entry. */
function findCircles(arrows: readonly Import[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of arrows) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const circles: string[][] = [];
  function visit(name: string, path: string[]): void {
    const at = path.indexOf(name);
    if (at >= 0) circles.push([...path.slice(at), name]);
    if (at >= 0 || done.has(name)) return;
    for (const target of targets.get(name) ?? []) visit(target, [...path, name]);
    done.add(name);
  }
  for (const name of targets.keys()) visit(name, []);
  return circles;
}
