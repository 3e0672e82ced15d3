import { inject } from 'vitest';
import type { TestService } from '../../server/src/testing/service/test-service.ts';
import { createPeople } from './people.ts';

/** What a journey knows of the service: its URL, and how to create accounts. */
export type Installation = Pick<TestService, 'url' | 'createUser'>;

/** The service that `npm run test:users -- --journeys` has started. */
export function useInstallation(): Installation {
  const { url, admin } = inject('installation');
  return { url, createUser: createPeople(() => ({ url, adminKey: admin.key })) };
}
