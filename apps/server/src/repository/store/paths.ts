export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** All directories above a path, the root ('') first. */
export function ancestorsOf(path: string): string[] {
  const above: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) above.push(path.slice(0, at));
  return above;
}

/** These paths and all directories above them, each once. */
export const placesOf = (paths: string[]): string[] => [
  ...new Set(paths.flatMap((path) => [...ancestorsOf(path), path])),
];

/** A path in the form of git's trees, without a leading slash. */
export const treePath = (path: string): string => path.slice(1);
