/**
 * The spellings of currencies, and the amount from which a sum in each is high: 10,000 for units worth about a dollar, euro or pound. For
 * other units it is the same value in round figures, so that a dinner for 12,000 yen is not high. Rates move, but the last digits do not
 * decide whether a sum is high.
 */
const CURRENCIES = `
10000 usd us$ $ dollar dollars dolar dolares dollari
10000 eur € euro euros
10000 gbp £ pound pounds sterling
10000 chf sfr franken francs
10000 cad ca$ c$
10000 aud au$ a$
10000 nzd nz$
10000 sgd s$
10000 brl r$ reais real
10000 ils ₪
10000 aed dirham dirhams
10000 sar riyal riyals
10000 qar
10000 bgn
10000 pln zł zloty zlotych
10000 ron lei
10000 myr rm
10000 fjd
10000 kwd
10000 bhd
10000 jod
100000 cny rmb cn¥ yuan 元 人民币
100000 hkd hk$
100000 sek
100000 nok
100000 dkk
100000 kr
100000 zar
100000 mxn mx$
100000 twd nt$
100000 try tl ₺ lira
100000 uah ₴ hryvnia
100000 php ₱
100000 thb ฿ baht
100000 egp
100000 czk kč
1000000 rub ₽ ruble rubles rubel руб рублей рубля
1000000 inr ₹ rs rupee rupees
1000000 pkr
1000000 lkr
1000000 bdt ৳
1000000 kes
1000000 jpy ¥ 円 yen
1000000 isk
10000000 huf ft forint
10000000 krw ₩ won 원
10000000 clp
10000000 ars ar$
10000000 ngn ₦ naira
10000000 kzt
10000000 cop
100000000 idr rp rupiah
100000000 vnd ₫ đ
100000000 irr
0.1 btc ₿ bitcoin bitcoins
5 eth
10000 usdt usdc
`;

/** Spelling, in lower case → from which amount on a sum is high. */
export const HIGH_FROM: ReadonlyMap<string, number> = new Map(
  CURRENCIES.trim()
    .split('\n')
    .flatMap((line) => {
      const [amount, ...spellings] = line.split(' ');
      return spellings.map((spelling): [string, number] => [spelling, Number(amount)]);
    }),
);
