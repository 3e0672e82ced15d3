export { excerptOf, notifyMentioned } from './mentions.ts';
export { notify } from './notify.ts';
