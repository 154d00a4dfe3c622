;; Finds where a JSON string ends, 64 bytes at a time. `string-ends.ts` says how it is used; `string-ends.wasm` is made of it.
(module
  ;; The window of the text, and 64 bytes behind it that a read may touch.
  (memory (export "memory") 2 2)
  (global $quote v128 (v128.const i8x16 34 34 34 34 34 34 34 34 34 34 34 34 34 34 34 34))
  (global $backslash v128 (v128.const i8x16 92 92 92 92 92 92 92 92 92 92 92 92 92 92 92 92))
  (global $odd i64 (i64.const 0xaaaaaaaaaaaaaaaa))

  ;; The offset of the first quote at or behind $at that no backslash escapes. There must be one.
  (func (export "unescapedQuote") (param $at i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $quotes i64) (local $backslashes i64) (local $carried i64) (local $starts i64) (local $escaping i64)
    (loop $next (result i32)
      (local.set $a (v128.load (local.get $at)))
      (local.set $b (v128.load offset=16 (local.get $at)))
      (local.set $c (v128.load offset=32 (local.get $at)))
      (local.set $d (v128.load offset=48 (local.get $at)))
      ;; One bit for each byte, the first byte's the lowest.
      (local.set $quotes (i64.or
        (i64.or
          (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (global.get $quote))))
          (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (global.get $quote)))) (i64.const 16)))
        (i64.or
          (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (global.get $quote)))) (i64.const 32))
          (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (global.get $quote)))) (i64.const 48)))))
      (local.set $backslashes (i64.or
        (i64.or
          (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (global.get $backslash))))
          (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (global.get $backslash)))) (i64.const 16)))
        (i64.or
          (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (global.get $backslash)))) (i64.const 32))
          (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (global.get $backslash)))) (i64.const 48)))))
      ;; In a row of backslashes every other one escapes. A subtraction borrows through each row, and so tells at which
      ;; bits, odd or even, the escaping ones of the row stand. $carried: the first byte is escaped by the last one before it.
      (local.set $starts (i64.and (local.get $backslashes) (i64.xor (local.get $carried) (i64.const -1))))
      (local.set $escaping (i64.xor
        (i64.sub (i64.or (i64.shl (local.get $starts) (i64.const 1)) (global.get $odd)) (local.get $starts))
        (global.get $odd)))
      ;; $escaping has a bit for each escaping backslash and each escaped byte; what is escaped is no backslash that escapes.
      (local.set $quotes (i64.and
        (local.get $quotes)
        (i64.xor
          (i64.xor (local.get $escaping) (i64.or (local.get $backslashes) (local.get $carried)))
          (i64.const -1))))
      (local.set $carried (i64.shr_u (i64.and (local.get $escaping) (local.get $backslashes)) (i64.const 63)))
      (if (result i32) (i64.eqz (local.get $quotes))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br $next))
        (else (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $quotes)))))))))
