import { LRUCache } from 'lru-cache';
import type { Db } from '../../foundation/db/index.ts';
import type { Bell } from '../state/index.ts';
import { findInstance, wantApp } from './instances.sql.ts';

export type AppPlacesOptions = { db: Db; bell: Bell; idleSeconds: number; startSeconds: number };

export type AppPlace = { host: string; port: number };

/** The addresses of server apps. A visitor wakes a sleeping app and waits until it responds. */
export type AppPlaces = {
  /** Resolves with the app's address or, if there is none, with the reason as a text. */
  find(deploymentId: string): Promise<AppPlace | string>;
  /** Call this if the app did not respond at its address. */
  forget(deploymentId: string): void;
};

/**
 * How long an instance's address is cached. It is short, so that a replacement is noticed before the old instance is
 * gone.
 */
export const rememberedMs = 500;
/** Interval at which visits are recorded. */
const visitMs = 30_000;

export function createAppPlaces({ db, bell, idleSeconds, startSeconds }: AppPlacesOptions): AppPlaces {
  const places = new LRUCache<string, AppPlace>({ max: 10_000, ttl: rememberedMs });
  const visits = new LRUCache<string, true>({ max: 10_000, ttl: visitMs });

  async function want(deploymentId: string): Promise<void> {
    visits.set(deploymentId, true);
    await wantApp(db, deploymentId, idleSeconds);
    bell.ring('apps');
  }

  async function waitForPlace(deploymentId: string): Promise<AppPlace | string> {
    const deadline = Date.now() + startSeconds * 1000;
    for (let looks = 0; ; looks++) {
      const instance = await findInstance(db, deploymentId);
      if (!instance && looks === 0) await want(deploymentId);
      if (instance?.status === 'healthy' && instance.host !== null && instance.port !== null) {
        const place = { host: instance.host, port: instance.port };
        places.set(deploymentId, place);
        return place;
      }
      if (instance?.status === 'failed') return instance.problem ?? 'The app does not start';
      if (Date.now() > deadline) return 'The app does not respond';
      await bell.wait('instances', 100);
    }
  }

  return {
    async find(deploymentId) {
      if (!visits.get(deploymentId)) await want(deploymentId);
      return places.get(deploymentId) ?? waitForPlace(deploymentId);
    },
    forget: (deploymentId) => void places.delete(deploymentId),
  };
}
