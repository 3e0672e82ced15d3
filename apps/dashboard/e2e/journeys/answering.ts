import { expect } from 'vitest';
import { join } from '../../../server/src/testing/samples/sample-collaborators.ts';
import { contentAt, inProject, newPlace, writeFile } from '../../../server/src/testing/samples/sample-files.ts';
import { branchesWords } from '../../src/branches/branches.words.ts';
import { editorWords } from '../../src/editor/editor.words.ts';
import { editorThreadsWords } from '../../src/merge-requests/editor-threads.words.ts';
import { newRequestWords } from '../../src/merge-requests/new-request.words.ts';
import { requestWords } from '../../src/merge-requests/request.words.ts';
import { threadWords } from '../../src/merge-requests/thread.words.ts';
import { longName, longText } from './crowd.ts';
import type { Journey, Stage } from './journey.ts';
import type { Walker } from './walker.ts';

const path = '/notes.txt';
const branch = 'ada-notes';

export const answering: Journey = {
  title: 'a protected file is edited on a branch and offered, and what a reviewer says is answered at its line',
  async go(stage) {
    const { service, somebody, open } = stage;
    const [author, reviewer] = [await somebody({ name: 'Ada' }), await somebody({ name: 'Bob' })];
    const place = await newPlace(service, { name: longName('Notes') }, author);
    const { projectId } = place;
    await writeFile(place, path, longText('one'));
    await join(service, { owner: author, projectId }, reviewer, { role: 'editor' });
    const ada = await open(author);
    await editOnBranch(ada, place);
    await offer(ada);

    const json = { path, line: 1, body: 'Is *zwei* better?' };
    const said = await inProject({ ...place, user: reviewer }, 'POST', '/merge-requests/1/threads', { json });
    expect(said.status, said.text).toBe(201);
    await answerAtItsLine(ada, stage);
    expect(await contentAt({ ...place, branch }, path)).toBe(longText('two one'));
    expect(await contentAt(place, path)).toBe(longText('one'));
  },
};

/** The rule is made while she types. Her text goes with her to the branch. */
async function editOnBranch(ada: Walker, place: Awaited<ReturnType<typeof newPlace>>): Promise<void> {
  const [editor, branches] = [ada.words(editorWords), ada.words(branchesWords)];
  await ada.page.goto(`/projects/${place.projectId}/files?path=${path}`);
  await ada.type(editor.content(path), 'two ');
  const rule = { pattern: 'main', no_direct_push: true };
  expect((await inProject(place, 'POST', '/branch-rules', { json: rule })).status).toBe(201);
  await ada.press('button', editor.save);
  await ada.sees(branches.isProtected('main'));
  await ada.sees(editor.readOnly);
  await ada.press('button', branches.editOnBranch);
  const dialog = ada.within('dialog');
  expect(await ada.page.getByRole('dialog').getByRole('textbox').inputValue()).toBe(branch);
  await dialog.press('button', branches.create);
  await ada.within('textbox', editor.content(path)).sees('two one');
  await ada.press('button', editor.save);
}

async function offer(ada: Walker): Promise<void> {
  const [branches, making] = [ada.words(branchesWords), ada.words(newRequestWords)];
  await ada.press('link', branches.offer);
  await ada.sees(making.commits(1));
  await ada.press('button', making.create);
  await ada.sees(ada.words(requestWords).opened('Ada'));
}

/** From the request to the line, which has moved on the screen, and back with an answer. */
async function answerAtItsLine(ada: Walker, { combination }: Stage): Promise<void> {
  const [editor, threads] = [ada.words(editorWords), ada.words(threadWords)];
  const words = ada.words(editorThreadsWords);
  await ada.page.reload();
  const card = ada.within('article', threads.threadOn(threads.line(path, 1)));
  await card.press('link', threads.toEditor);
  await card.sees('zwei');
  await ada.press('button', words.line(1));
  await ada.page.keyboard.press('Control+Home');
  await ada.page.keyboard.type('above\n');
  await ada.sees(words.line(2));
  await ada.press('button', words.open(1));
  if (combination.hand === 'mouse') await ada.page.locator('.comment-bubble[data-comment^=mrt]').click();
  else {
    await ada.type(editor.content(path), '');
    await ada.page.keyboard.press('Control+Alt+k');
  }
  await card.press('button', threads.reply);
  await card.write(threads.replyText, 'No, two.');
  await card.press('button', threads.reply);
  await card.sees('No, two.');
  await card.press('button', threads.resolve);
  await ada.sees(threads.resolvedBy('Ada'));
}
