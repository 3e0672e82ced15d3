import { newPlace, writeFile } from '../../../server/src/testing/samples/sample-files.ts';
import { startSession } from '../../../server/src/testing/samples/sample-sessions.ts';
import { editorWords } from '../../src/editor/editor.words.ts';
import { joinWords } from '../../src/guests/join.words.ts';
import { invitationWords } from '../../src/people/invitations.words.ts';
import { peopleWords } from '../../src/people/people.words.ts';
import { projectWords } from '../../src/project/project.words.ts';
import { signInWords } from '../../src/sign-in/sign-in.words.ts';
import { longName, longText } from './crowd.ts';
import type { Journey } from './journey.ts';

const projectName = longName('Garden plans');

export const joining: Journey = {
  title: 'a stranger joins a project by the link of an invitation, and a guest a live session by its link',
  async go({ service, somebody, open, tag }) {
    const owner = await somebody({ name: 'Olga' });
    const place = await newPlace(service, { name: projectName }, owner);
    await writeFile(place, '/beds.txt', longText('roses'));
    const olga = await open(owner);
    const [people, door] = [olga.words(peopleWords), olga.words(signInWords)];
    const email = `newcomer-${tag}@example.com`;
    await olga.page.goto(`/projects/${place.projectId}`);
    await olga.press('tab', olga.words(projectWords).people);
    await olga.write(people.email, email);
    await olga.choose(people.role, 'viewer');
    await olga.press('button', people.createLink);
    const link = await olga.page.getByLabel(people.linkLabel, { exact: true }).innerText();

    const newcomer = await open();
    await newcomer.page.goto(link);
    await newcomer.sees(door.invited(projectName, 'Olga'));
    await newcomer.press('link', door.signUp);
    await newcomer.write(door.name, 'Newcomer');
    await newcomer.write(door.email, email);
    await newcomer.write(door.password, 'a phrase of my very own');
    await newcomer.press('button', door.signUp);
    await newcomer.press('button', newcomer.words(invitationWords).accept);
    await newcomer.page.waitForURL(new RegExp(`/projects/${place.projectId}`));

    const session = await startSession(service, owner, { workspace_id: place.projectId, name: 'Tuesday' });
    const guest = await open(await somebody({ name: 'Gus' }));
    await guest.page.goto(session.invite_link ?? '');
    await guest.press('button', guest.words(joinWords).join);
    await guest.openFile('beds.txt');
    await guest.within('textbox', guest.words(editorWords).content('/beds.txt')).sees('roses');
  },
};
