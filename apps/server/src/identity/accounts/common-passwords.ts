/**
 * The most common passwords of eight characters or more in published leaks, in lower case and without digits at the
 * end, since `password1` and `password123` are looked up as `password` too.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `password passw0rd p@ssword p@ssw0rd pa55word passwort passwordpassword mypassword newpassword thepassword qwerty
  qwertyuiop qwertyui qwert qwerty12345 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qazxsw2 qazwsxedc zaq12wsx zaq1xsw2
  q1w2e3r4 q1w2e3r4t5 qwe123qwe qweasdzxc qweasd asdfghjkl asdfghjk asdfasdf asdf1234 zxcvbnm zxcvbnm123 iloveyou
  iloveyou2 ilovegod letmein letmeinnow welcome welcomehome monkey dragon football baseball basketball superman batman
  spiderman ironman trustno1 sunshine princess princesa michael jennifer jessica michelle nicole charlie ashley amanda
  daniel jordan jordan23 anthony matthew andrew joshua robert thomas william elizabeth alexander alexandra victoria
  samantha veronica stephanie christian christopher benjamin jonathan benfica liverpool chelsea arsenal manchester
  barcelona realmadrid juventus computer internet samsung microsoft windows starwars pokemon naruto minecraft fortnite
  master shadow killer hunter hunter2 whatever freedom secret secret123 secretpassword administrator admin adminadmin
  admin1234 root rootroot toor changeme changeit default guest test testtest test1234 testing tester demo demodemo user
  username login access abc123 abcd1234 abcdef abcdefg abcdefgh abcdefghi a1b2c3d4 aa123456 aaa111 123456a 123123123
  123321123 123454321 12341234 11111111 00000000 88888888 99999999 12121212 13131313 87654321 987654321 9876543210
  147258369 741852963 159753456 1234567890q q123456789 a123456789 a12345678 1a2b3c4d 112233445566 11223344 102030405060
  mustang ferrari porsche mercedes corvette yankees cowboys steelers packers eagles lakers warriors tigger snoopy
  garfield butterfly flower sunflower rainbow chocolate cookie cheese banana strawberry pumpkin summer winter spring
  autumn monday friday january february october november december babygirl sweetheart lovely loveyou loveme forever
  friends family jesuschrist jesus blessed heaven angel angels diamond crystal silver golden purple orange yellow
  hello hellohello hello123 helloworld goodluck lucky lucky7 letsgo metallica nirvana eminem blink182 slipknot
  qwertz qwertzuiop azerty azertyuiop motdepasse contrasena contraseña senha senha123 parola haslo wachtwoord lösenord
  hunter42 correcthorsebatterystaple bottega bottegabottega bottega123 developer programmer code codecode hackme
  openopen opensesame sesame mysecret supersecret topsecret password! password1! welcome1! qwerty1! admin1! abc@123
  pass@123 admin@123 test@123 user@123 india@123 qwe@123 p@$$w0rd p@$$word pa$$word passw0rd! zxcvbnm,./ 1234qwer
  qwer1234 12qwaszx 1qaz2wsx3edc !qaz2wsx 1qaz!qaz 3rjs1la7qe google gmail yahoo facebook instagram linkedin linked
  twitter youtube iphone android samsung1 nintendo playstation gamecube xbox360 callofduty leagueoflegends hearthstone`
    .split(/\s+/)
    .filter(Boolean),
);
