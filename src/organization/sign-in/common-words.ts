/**
 * Common parts of passwords, as they are guessed first. A short list of our own, because passwords under twelve
 * characters are refused anyway.
 */
export const COMMON_WORDS: readonly string[] = `
abc123 access account admin administrator alex alexander amanda amazon america andrew android angel angels anna anthony
api apple april arsenal asdfgh ashley asshole august autumn awesome azerty baby babygirl banana barcelona baseball
basketball batman bear beer berlin bienvenue bitch black blessed blizzard blue boston boy brandon brazil brian brother
business butterfly california camaro canada cat change changeme charlie cheese chelsea cherry chicago chicken china
chocolate christ church cloud coffee company computer contrasena cookie cool corporate corvette cowboys crazy cricket
daddy dance daniel database daughter david december default demo developer diamond dog dollar dolphin dragon eagle
eagles elizabeth email emily engineer england europe everything example facebook faith falcon fall family father
february ferrari fire florida flower football forever france frank freedom friday friend friends fuck fuckyou gandalf
gateway geheim george germany ghost girl gold golden golf google green guest guitar hallo hannah happy harley headgate
heaven hello hockey honda honey horse hottie hunter ice iloveyou india internet iphone ironman italy jaguar james
january japan jason jennifer jessica jesus john jordan joseph joshua july june justin juventus kevin killer king kitty
knight lady lakers laptop lemon letmein lightning linux lion liverpool login logon london love lovely loveyou lucky
madrid magic mama manager march maria mario martin master matrix matthew maverick max mega melissa mercedes merlin
metal mexico michael michelle microsoft million minecraft mommy monday money monkey morning motdepasse mother mouse
music mustang naruto network newyork nicole night ninja nothing november october office open orange p4ssw0rd packers
panther papa paris parola party pass passw0rd passwd password passwort paul peace peanut pepper peter phantom piano
pink pirate please pokemon pony porsche power prince princess private project public puppy purple pussy qazwsx queen
qwerty qwertz rabbit racing raiders rainbow ranger red richard robert rock root rugby running russia samantha sample
samsung samurai saturday secret secure security senha september server service sesame sexy shadow shark shit signin
silver sister smile snake soccer soldier something sonic sophie spain spider spiderman spring star starwars steelers
steven storm sugar summer sunday sunny sunshine super superman superuser support sweet sweetheart system temp temporary
tennis test tester testing texas thisis thisismy thomas thunder thursday tiger token toyota trust trustno tuesday turtle ultra user
vodka wachtwoord warrior water website wednesday welcome whatever whiskey white william willkommen windows wine winter
wizard wolf work yamaha yankees yellow zxcvbn пароль привет любовь
`
  .trim()
  .split(/\s+/);
