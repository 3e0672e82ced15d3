import { projectOf } from '../../../server/src/testing/samples/sample-deployments.ts';
import { deploymentsWords } from '../../src/deployments/deployments.words.ts';
import { projectWords } from '../../src/project/project.words.ts';
import { variablesWords } from '../../src/variables/variables.words.ts';
import type { Journey } from './journey.ts';

export const variables: Journey = {
  title: 'a variable of the project is kept from sight, changed, and inherited by a deployment',
  async go({ service, somebody, open }) {
    const user = await somebody({ name: 'Vera' });
    const place = await projectOf(service, { '/index.html': 'x' }, user, { name: 'Weather' });
    const vera = await open(user);
    const [words, deploy] = [vera.words(variablesWords), vera.words(deploymentsWords)];
    const dialog = vera.within('dialog');
    await vera.page.goto(`/projects/${place.projectId}`);
    await vera.press('tab', words.settings);
    await vera.press('button', words.add);
    await dialog.write(words.variableName(1), 'TOKEN');
    await dialog.write(words.variableValue(1), 'hunter-two');
    await dialog.press('button', words.save);
    await vera.within('row', /TOKEN/).sees(words.hidden);
    await vera.press('button', `${words.edit}: TOKEN`);
    await dialog.write(words.newValue, 'hunter-three');
    await dialog.press('checkbox', words.secretLabel);
    await dialog.press('button', words.save);
    await vera.within('row', /TOKEN/).sees('hunter-three');
    await vera.press('tab', vera.words(projectWords).deployments);
    await vera.press('link', deploy.deploy);
    await dialog.within('group', words.inherited).sees('TOKEN');
    await dialog.press('button', deploy.deploy);
    await vera.page.waitForURL(/deployments\/dep_\w+$/);
    await vera.page.getByRole('status').filter({ hasText: deploy.production }).getByText(deploy.live).waitFor();
    await vera.sees('TOKEN');
  },
};
