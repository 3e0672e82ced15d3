import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWhole } from '../files/written-whole.ts';
import { Failure } from '../terminal/failure.ts';

/** Which project a folder is, and at which service. */
export type Link = { url: string; project_id: string };

const folderName = '.btg';

/** The link of this folder, or of the nearest one above. */
export async function findLink(from: string): Promise<{ folder: string; link: Link } | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const text = await readFile(join(folder, folderName, 'project.json'), 'utf8').catch(() => null);
    if (text !== null) return { folder, link: parse(text, folder) };
    if (dirname(folder) === folder) return undefined;
  }
}

function parse(text: string, folder: string): Link {
  try {
    const { url, project_id } = JSON.parse(text) as Partial<Link>;
    if (typeof url === 'string' && typeof project_id === 'string') return { url, project_id };
  } catch {
    // As below.
  }
  throw new Failure('failed', `${join(folder, folderName, 'project.json')} cannot be read.`, 'Call `btg link` again.');
}

/** It is about this copy of the files, so it stays out of git. */
export async function writeLink(folder: string, link: Link): Promise<void> {
  await writeWhole(join(folder, folderName, 'project.json'), `${JSON.stringify(link, null, 2)}\n`);
  const ignoring = join(folder, folderName, '.gitignore');
  await access(ignoring).catch(() => writeWhole(ignoring, '*\n'));
}
