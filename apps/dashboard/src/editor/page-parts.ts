import type { File } from '@bottega/contract';
import type { Place } from '../api/project.ts';
import { destinationOf } from '../kit/markdown-links.ts';
import { readBytes, readText } from './file-content.ts';

type Options = { place: Place; files: readonly File[]; drafts: Record<string, string>; path: string };

/** Limits of a preview. Parts beyond them are left out. */
const largestPart = 1_000_000;
const maxParts = 40;

/**
 * All texts in a page that look like the URL of a part. The page is searched as plain text, because only the frame
 * parses it.
 */
export const referencesIn = (page: string): string[] => [
  ...new Set(
    [...page.matchAll(/\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)].map(
      ([, double, single, bare]) => double ?? single ?? bare ?? '',
    ),
  ),
];

/**
 * Reads the project's styles, scripts and pictures that a page refers to. Open files are used with their unsaved text.
 */
export async function readParts({ place, files, drafts, path }: Options): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  const references = referencesIn(drafts[path] ?? '').flatMap((reference) => {
    const to = destinationOf(reference, path);
    const file = to?.kind === 'file' ? files.find((one) => one.path === to.path && one.type === 'file') : undefined;
    return file && (file.size ?? 0) <= largestPart ? [{ reference, file }] : [];
  });
  await Promise.all(
    references.slice(0, maxParts).map(async ({ reference, file }) => {
      const isPicture = file.mime_type?.startsWith('image/');
      // A part that cannot be read is missing in the preview, as it would be on the site.
      const part = isPicture ? dataUrlOf(place, file) : (drafts[file.path] ?? textOf(place, file));
      parts[reference] = await Promise.resolve(part).catch(() => '');
    }),
  );
  return parts;
}

const textOf = async (place: Place, file: File): Promise<string> => (await readText(place, file.id)).text;

async function dataUrlOf(place: Place, file: File): Promise<string> {
  const bytes = await readBytes(place, file.id);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });
}
