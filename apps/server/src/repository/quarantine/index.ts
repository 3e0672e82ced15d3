export { inMebibytes, type PushLimits } from './limits.ts';
export { PushRefused, refusalOf } from './push-refused.ts';
export { whyNotCommand } from './push-rules.ts';
export { borrowFrom, borrowObjects, receivePack, spoolPack, withQuarantine } from './quarantine.ts';
export { type Pusher, type Receiving, storeReceived, takeReceived, withNewObjects } from './store-received.service.ts';
export { haveCommonCommit, isAncestor } from './tips.ts';
