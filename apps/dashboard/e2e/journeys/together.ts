import { waitFor } from '../../../server/src/testing/parts/wait-for.ts';
import { join } from '../../../server/src/testing/samples/sample-collaborators.ts';
import { contentAt, newPlace, writeFile } from '../../../server/src/testing/samples/sample-files.ts';
import { editorWords } from '../../src/editor/editor.words.ts';
import { commentWords } from '../../src/live/comments.words.ts';
import { liveWords } from '../../src/live/live.words.ts';
import { addCrowd, longName, longText, openCrowd } from './crowd.ts';
import type { Journey } from './journey.ts';

const path = '/notes.txt';

export const together: Journey = {
  title: 'two people write in one file, and one takes what the other suggests',
  async go({ service, somebody, open }) {
    const [owner, friend] = [await somebody({ name: 'Olga' }), await somebody({ name: 'Gus' })];
    const place = await newPlace(service, { name: longName('Together') }, owner);
    await writeFile(place, path, longText('one'));
    await addCrowd(place);
    await join(service, { owner, projectId: place.projectId }, friend, { role: 'editor' });
    const [olga, gus] = [await open(owner), await open(friend)];
    const [words, editor] = [olga.words(liveWords), olga.words(editorWords)];
    const comments = olga.words(commentWords);
    await olga.page.goto(`/projects/${place.projectId}/files?path=${path}`);
    await olga.press('button', words.live);
    await olga.press('button', words.begin);
    await olga.sees(words.stored);
    await gus.page.goto(`/projects/${place.projectId}/files?path=${path}`);
    await gus.press('button', words.live);
    await gus.press('button', words.joinOne(words.nameOf(owner.name)));
    await gus.sees(words.stored);
    for (const one of [olga, gus]) {
      await openCrowd(one);
      await one.openFile(path.slice(1));
    }
    await gus.type(editor.content(path), 'zero ');
    await olga.within('textbox', editor.content(path)).sees('zero');

    await gus.page.keyboard.press('Shift+Home');
    await gus.page.keyboard.press('Control+Alt+m');
    await gus.choose(comments.type, 'suggestion');
    await gus.write(comments.content, 'A better word');
    await gus.write(comments.instead, 'none ');
    await gus.press('button', comments.send);
    await olga.press('tab', new RegExp(words.comments));
    const thread = olga.within('article', `${comments.suggestion}, ${comments.line(1)}`);
    await thread.sees('A better word');
    await thread.press('button', comments.apply);
    await gus.within('textbox', editor.content(path)).sees('none');
    await waitFor('it is in the project', async () => (await contentAt(place, path)).startsWith('none one\n'));
  },
};
