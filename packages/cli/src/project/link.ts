import { dirname, join } from 'node:path';
import { isDenied, isUnsafe, readBelow } from '../files/below.ts';
import { createBelow, ownersOnly, writeBelow } from '../files/written.ts';
import { Failure } from '../terminal/failure.ts';

/** The project to which a folder is linked, and its service. */
export type Link = { url: string; project_id: string };

const linkFile = '.btg/project.json';
const ignoring = '.btg/.gitignore';
const largest = 64 * 1024;

/** The link of this folder, or of the nearest one above. */
export async function findLink(from: string): Promise<{ folder: string; link: Link } | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const text = await textOf(folder);
    if (text !== null) return { folder, link: parse(text, folder) };
    if (dirname(folder) === folder) return undefined;
  }
}

/** Reads the link of a folder. A file behind a symbolic link, or one that this user may not read, does not count. */
const textOf = (folder: string): Promise<string | null> =>
  readBelow({ root: folder, path: linkFile }, largest).then(
    (bytes) => bytes?.toString() ?? null,
    (error: NodeJS.ErrnoException) => {
      if (isUnsafe(error) || isDenied(error) || error.code === 'ENOENT') return null;
      throw error;
    },
  );

function parse(text: string, folder: string): Link {
  try {
    const { url, project_id } = JSON.parse(text) as Partial<Link>;
    // The form of the id is checked, because it becomes part of URLs.
    const isProject = typeof project_id === 'string' && /^prj_\w+$/.test(project_id);
    if (typeof url === 'string' && isProject) return { url, project_id };
  } catch {
    // Handled as an invalid file below.
  }
  throw new Failure('failed', `${join(folder, linkFile)} cannot be read.`, 'Run `btg link` again.');
}

/** Writes the link of a folder. It belongs to this copy of the files, so git ignores it. */
export async function writeLink(folder: string, link: Link): Promise<void> {
  await writeBelow({ root: folder, path: linkFile }, `${JSON.stringify(link, null, 2)}\n`, { mode: ownersOnly });
  await createBelow({ root: folder, path: ignoring }, '*\n');
}
