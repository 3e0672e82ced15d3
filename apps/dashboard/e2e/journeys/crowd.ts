import { commit, type Place } from '../../../server/src/testing/samples/sample-files.ts';
import type { Reached } from '../../../server/src/testing/service/test-service.ts';
import { editorWords } from '../../src/editor/editor.words.ts';
import type { Walker } from './walker.ts';

/** A workbench after a day of work. A screen that fits only an empty project is useless then. */

export const longName = (name: string): string => `${name}, which has a long name because its owner wanted to be exact`;

/** 500 lines, with the given first line. */
export const longText = (first: string): string =>
  `${[first, ...Array.from({ length: 499 }, (_, index) => `line ${index + 2}`)].join('\n')}\n`;

const names = Array.from({ length: 11 }, (_, index) => `chapter-${index + 1}-of-the-handbook.md`);

/** With the journey's own file there are twelve. */
export async function addCrowd(place: Place<Reached>): Promise<void> {
  const changes = names.map((name) => ({ action: 'create', path: `/${name}`, content: longText(name) }));
  const { status, text } = await commit(place, changes, { message: 'Add the handbook' });
  if (status !== 201) throw new Error(text);
}

/** Opens a tab for each of them. This is preparation, so it uses the mouse even if the walker has a keyboard. */
export async function openCrowd({ page, words }: Walker): Promise<void> {
  const editor = words(editorWords);
  const tree = page.getByRole('tree');
  for (const name of names) {
    const files = page.getByRole('button', { name: editor.showFiles, exact: true });
    await tree.or(files).first().waitFor();
    if (!(await tree.isVisible())) await files.click();
    await page.getByRole('treeitem', { name }).click();
    await page.getByLabel(editor.content(`/${name}`), { exact: true }).waitFor();
  }
}
