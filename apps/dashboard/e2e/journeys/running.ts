import type { Workspace } from '@bottega/contract';
import { expect } from 'vitest';
import { waitFor } from '../../../server/src/testing/parts/wait-for.ts';
import { inProject, newPlace } from '../../../server/src/testing/samples/sample-files.ts';
import { editorWords } from '../../src/editor/editor.words.ts';
import { previewWords } from '../../src/editor/preview.words.ts';
import { overviewWords } from '../../src/overview/overview.words.ts';
import { processWords } from '../../src/run/processes.words.ts';
import { runWords } from '../../src/run/run.words.ts';
import type { Combination } from './combinations.ts';
import { longName } from './crowd.ts';
import type { Journey } from './journey.ts';
import type { Walker } from './walker.ts';

/** The port of the template's development server. */
const port = 3000;
const page = '/docs/index.md';

export const running: Journey = {
  title: 'a template runs at the press of a button, its preview follows an edit, and the workspace is copied',
  async go({ service, somebody, open, combination }) {
    const user = await somebody({ name: 'Runa' });
    const place = await newPlace(service, { name: longName('Handbook'), template: 'documentation-site' }, user);
    const runa = await open(user);
    const [run, editor, preview] = [runa.words(runWords), runa.words(editorWords), runa.words(previewWords)];
    const isPhone = combination.width === 390;
    const pane = runa.within(isPhone ? 'dialog' : 'region', run.run);
    await runa.page.goto(`/projects/${place.projectId}`);
    await runa.press('link', runa.words(overviewWords).run);
    await pane.press('button', run.start);
    const frame = runa.page.frameLocator(`iframe[title="${run.frame(port)}"]`);
    await frame.getByText('the first five minutes').first().waitFor();
    // On a phone, the preview takes the place of the pane.
    if (isPhone) {
      await runa.press('button', preview.hide);
      await runa.press('button', run.run);
    }
    await typeInTerminal(runa, combination, 'echo hi-$((40+2))');
    await runa.page.locator('.run-screen:visible .xterm-rows').getByText('hi-42').first().waitFor();
    await pane.press('button', runa.words(processWords).processes);
    await pane.within('region', runa.words(processWords).processes).sees(/npm run dev/);
    if (isPhone) await pane.press('button', run.hide);

    await runa.openFile('docs');
    await runa.openFile('index.md');
    await runa.type(editor.content(page), 'Moin ');
    await runa.page.keyboard.press('Control+s');
    await runa.sees(editor.saved);
    if (isPhone) {
      await runa.press('button', run.run);
      await pane.press('button', run.ports);
      await pane.press('button', run.preview);
    }
    await waitFor('the edit is in the preview', async () => {
      await runa.press('button', preview.reload);
      await frame.getByText('the first five minutes').first().waitFor();
      return frame.getByText('Moin').first().isVisible();
    });
    if (isPhone) {
      await runa.press('button', preview.hide);
      await runa.press('button', run.run);
    }
    await copy(runa, { combination, pane });
    const { body } = await inProject<{ data: Workspace[] }>(place, 'GET', '/workspaces');
    expect(body.data.map(({ mode }) => mode)).toEqual(['own', 'follow']);
  },
};

/** By keyboard, the pane itself gives the terminal the focus, or Tab leads to it; F6 leaves it. */
async function typeInTerminal({ page: shown }: Walker, { hand }: Combination, text: string): Promise<void> {
  await shown.locator('.run-terminal[data-connection=open]:visible').waitFor();
  const isInTerminal = () => shown.evaluate("document.activeElement.matches('.xterm-helper-textarea')");
  if (hand === 'mouse') await shown.locator('.run-terminal:visible .xterm-screen').click();
  for (let step = 0; step < 60 && !(await isInTerminal()); step++) await shown.keyboard.press('Tab');
  await shown.keyboard.type(`${text}\n`);
  if (hand === 'keyboard') await shown.keyboard.press('F6');
}

type Copying = { combination: Combination; pane: Walker };

/** The menu is above the pane, not in it. */
async function copy(walker: Walker, { combination, pane }: Copying): Promise<void> {
  const run = walker.words(runWords);
  if (combination.hand === 'keyboard') await walker.page.keyboard.press('F6');
  await pane.press('button', run.menu);
  await walker.press('menuitem', run.snapshot);
  // The name has the time in it.
  await walker.sees(new RegExp(run.snapshotDone('.+')));
  await pane.press('button', run.menu);
  await walker.press('menuitem', run.fork);
  await walker.page.waitForURL(/ref=workspace/);
  await walker.page.locator('.run-terminal[data-connection=open]').waitFor();
}
