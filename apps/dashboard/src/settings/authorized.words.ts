import { dictionary } from '../words/words.tsx';

export const authorizedWords = dictionary({
  en: {
    title: 'Authorised apps',
    hint: 'Apps of others, and your own, that you have allowed to act for you.',
    none: 'No app acts for you',
    noneHint: 'Once you allow an app on its consent page, it is listed here, and you can take it back.',
    since: 'Allowed',
    used: 'last got a token',
    neverUsed: 'has never got a token',
    may: 'It may',
    revoke: 'Take it back',
    revokeTitle: (name: string) => `Take back what ${name} may do?`,
    revokeHint: 'Its tokens stop working at once. It can ask you again.',
    revoked: (name: string) => `${name} may no longer act for you`,
  },
  de: {
    title: 'Erlaubte Apps',
    hint: 'Apps anderer, und deine eigenen, denen du erlaubt hast, für dich zu handeln.',
    none: 'Keine App handelt für dich',
    noneHint: 'Was du einer App auf ihrer Seite erlaubst, steht hier, und du kannst es zurücknehmen.',
    since: 'Erlaubt',
    used: 'bekam zuletzt ein Token',
    neverUsed: 'bekam noch nie ein Token',
    may: 'Sie darf',
    revoke: 'Zurücknehmen',
    revokeTitle: (name) => `Zurücknehmen, was ${name} darf?`,
    revokeHint: 'Ihre Token verlieren sofort ihre Gültigkeit. Sie kann dich wieder fragen.',
    revoked: (name) => `${name} darf nicht mehr für dich handeln`,
  },
});
