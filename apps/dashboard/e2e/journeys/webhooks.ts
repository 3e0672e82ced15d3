import { createProject } from '../../../server/src/testing/samples/sample-projects.ts';
import { deliveriesWords } from '../../src/webhooks/deliveries.words.ts';
import { formWords } from '../../src/webhooks/form.words.ts';
import { webhooksWords } from '../../src/webhooks/webhooks.words.ts';
import type { Journey } from './journey.ts';

export const webhooks: Journey = {
  title: 'a webhook is made, fails, and is delivered again once its receiver is well',
  async go({ service, receiver, somebody, open, tag }) {
    const user = await somebody({ name: 'Ada' });
    const path = `/journey-${tag}`;
    receiver.reply(path, { status: 410 });
    const ada = await open(user);
    const [list, form, deliveries] = [ada.words(webhooksWords), ada.words(formWords), ada.words(deliveriesWords)];
    await ada.page.goto('/projects');
    await ada.goTo(list.title);
    await ada.within('main').press('link', list.new);
    await ada.write(form.name, 'Build log');
    await ada.write(form.url, receiver.at(path).url);
    await ada.press('checkbox', 'project.created');
    await ada.sees(form.chosen(1));
    await ada.press('button', form.more);
    await ada.press('button', form.addHeader);
    await ada.write(form.headerName(1), 'X-Team');
    await ada.write(form.headerValue(1), 'garden');
    await ada.press('button', form.create);
    await ada.sees(list.isThere);
    await ada.press('link', list.done);
    await ada.sees(deliveries.none);
    receiver.reply(path, { status: 404 });
    await createProject(service, user, { name: 'Lighthouse' });
    await ada.press('link', 'project.created');
    await ada.sees(deliveries.rejected);
    receiver.reply(path, { status: 200, body: 'thanks' });
    await ada.press('button', deliveries.redeliver);
    await ada.within('region', new RegExp(deliveries.attempt(1))).sees('thanks');
  },
};
