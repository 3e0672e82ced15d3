import { expect } from 'vitest';
import { contentAt, history, newPlace, writeFile } from '../../../server/src/testing/samples/sample-files.ts';
import { changeWords } from '../../src/editor/changes.words.ts';
import { editorWords } from '../../src/editor/editor.words.ts';
import { projectWords } from '../../src/project/project.words.ts';
import { addCrowd, longName, longText, openCrowd } from './crowd.ts';
import type { Journey } from './journey.ts';

export const workbench: Journey = {
  title: 'files are made, changed and committed on purpose, and what somebody else saved is not lost',
  async go({ service, combination, somebody, open }) {
    const user = await somebody({ name: 'Ida' });
    const place = await newPlace(service, { name: longName('Bench') }, user);
    await writeFile(place, '/notes.txt', longText('one'));
    await addCrowd(place);
    const ida = await open(user);
    const [editor, changes] = [ida.words(editorWords), ida.words(changeWords)];
    const dialog = ida.within('dialog');
    await ida.page.goto(`/projects/${place.projectId}`);
    await ida.press('tab', ida.words(projectWords).code);
    await ida.press('button', editor.newFile);
    await dialog.write(editor.path, '/style.css');
    await ida.page.keyboard.press('Enter');
    await ida.type(editor.content('/style.css'), 'body { color: teal }');
    await openCrowd(ida);
    await ida.openFile('notes.txt');
    await ida.type(editor.content('/notes.txt'), 'new ');
    await ida.press('button', changes.changes(2));
    await dialog.write(changes.message, 'A new beginning');
    await dialog.press('button', changes.commit(2));
    await ida.sees(changes.committed('A new beginning'));
    expect((await history(place)).data[0]?.message).toBe('A new beginning');
    // A phone has no room for two groups.
    if (combination.width === 1440) {
      await ida.press('button', editor.split);
      await ida.openFile('style.css');
      await ida.within('region', editor.group(2)).type(editor.content('/style.css'), '/* beside */ ');
      await ida.within('region', editor.group(1)).sees('new one');
      await ida.press('button', changes.changes(1));
      await dialog.press('button', changes.commit(1));
      await ida.sees(changes.committed('Update style.css'));
      await ida.press('button', editor.split);
      await ida.openFile('notes.txt');
    }

    await ida.type(editor.content('/notes.txt'), 'mine ');
    await writeFile(place, '/notes.txt', longText('theirs'));
    await ida.sees(changes.changedBy('Ida'));
    await ida.press('button', changes.compare);
    await dialog.sees('theirs');
    await dialog.press('button', editor.mine);
    await ida.sees(editor.saved);
    expect(await contentAt(place, '/notes.txt')).toBe(longText('mine new one'));
  },
};
