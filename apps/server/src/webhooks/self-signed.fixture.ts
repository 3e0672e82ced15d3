/** A certificate for localhost that nobody has signed but itself, valid until 2126, and its key, which protects nothing. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5zZIVCitp08W6oJT
ogO/aJ2omu0eFT1yfjD+N69AH9ahRANCAASEcpgPQF8a95O1IetEp1xuPduAUgPG
u4Sa0pi/ikRhwfZqMD3aKcayptQB9epdxbSgb9QAyoYW6q9isCOy6gPD
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUF1gjNaNIK1DCZ0+Xo0XMmbH2ilQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTA2MDY1MVoYDzIxMjYxMDIy
MDYwNjUxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASEcpgPQF8a95O1IetEp1xuPduAUgPGu4Sa0pi/ikRhwfZqMD3aKcay
ptQB9epdxbSgb9QAyoYW6q9isCOy6gPDo1MwUTAdBgNVHQ4EFgQU7oNsqrVNfhEV
370VyEOaeUyuUW8wHwYDVR0jBBgwFoAU7oNsqrVNfhEV370VyEOaeUyuUW8wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAVgJa3JagaB3aTlscWBEXz
jfLnecZFAyw0TSmwqz6DQgIgG2WwLGvS1aOXlpuACqgkE3k4gq9Th1sKdFZ4htz/
teI=
-----END CERTIFICATE-----
`,
};
