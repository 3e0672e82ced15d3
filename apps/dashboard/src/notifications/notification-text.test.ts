import type { Notification } from '@bottega/contract';
import { expect, test } from 'vitest';
import { placeOf } from './notification-text.ts';

test('a notification about a domain leads to the domains of the project', () => {
  const about = { type: 'domain_failed', project: { id: 'prj_1', name: 'Loom' }, data: { domain: 'www.example.com' } };
  expect(placeOf(about as Notification)).toMatchObject({
    to: '/projects/$projectId/domains',
    params: { projectId: 'prj_1' },
  });
});
