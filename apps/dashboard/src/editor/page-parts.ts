import type { File } from '@bottega/contract';
import { destinationOf } from '../kit/markdown-links.ts';
import { readBytes, readText } from './file-content.ts';

type Options = { projectId: string; files: readonly File[]; drafts: Record<string, string>; path: string };

/** Limits of a preview: larger or further parts are left out. */
const largestPart = 1_000_000;
const mostParts = 40;

/** Whatever looks like the URL of a part in a page. It is found as text: the frame parses the page. */
export const referencesIn = (page: string): string[] => [
  ...new Set(
    [...page.matchAll(/\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)].map(
      ([, double, single, bare]) => double ?? single ?? bare ?? '',
    ),
  ),
];

/** The project's styles, scripts and pictures that a page refers to; open ones with their unsaved text. */
export async function readParts({ projectId, files, drafts, path }: Options): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  const found = referencesIn(drafts[path] ?? '').flatMap((reference) => {
    const to = destinationOf(reference, path);
    const file = to?.kind === 'file' ? files.find((one) => one.path === to.path && one.type === 'file') : undefined;
    return file && (file.size ?? 0) <= largestPart ? [{ reference, file }] : [];
  });
  await Promise.all(
    found.slice(0, mostParts).map(async ({ reference, file }) => {
      const isPicture = file.mime_type?.startsWith('image/');
      // An unreadable part is missing in the preview as it would be in the page.
      const part = isPicture ? dataUrlOf(projectId, file) : (drafts[file.path] ?? textOf(projectId, file));
      parts[reference] = await Promise.resolve(part).catch(() => '');
    }),
  );
  return parts;
}

const textOf = async (projectId: string, file: File): Promise<string> => (await readText(projectId, file.id)).text;

async function dataUrlOf(projectId: string, file: File): Promise<string> {
  const bytes = await readBytes(projectId, file.id);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });
}
