import type { useGitClient } from '../../../server/src/repository/smart-http/git-client.fixture.ts';
import { call } from '../../../server/src/testing/clients/http-client.ts';
import type { Receiver } from '../../../server/src/testing/clients/webhook-receiver.ts';
import type { SampleApp } from '../../../server/src/testing/samples/sample-oauth-app.ts';
import type { Reached, TestUser } from '../../../server/src/testing/service/test-service.ts';
import type { Installation } from '../installation.ts';
import type { Combination } from './combinations.ts';
import type { Walker } from './walker.ts';

/** What a journey begins with. */
export type Stage = {
  service: Installation;
  receiver: Receiver;
  app: SampleApp;
  git: ReturnType<typeof useGitClient>;
  combination: Combination;
  /** Unique among all journeys and earlier runs: for addresses and paths. */
  tag: string;
  /** A user with an account, who has the language of the journey. */
  somebody(options?: Parameters<Installation['createUser']>[0]): Promise<TestUser>;
  /** A new browser for the user; without one, for a stranger. */
  open(user?: TestUser): Promise<Walker>;
};

export type Journey = { title: string; go(stage: Stage): Promise<void> };

export async function speaking(service: Reached, user: TestUser, language: string): Promise<TestUser> {
  await call('PATCH', `${service.url}/v1/user`, { token: user.key, json: { preferences: { language } } });
  return user;
}
