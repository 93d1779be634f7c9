-- A new webhook, where its player has not too many.
--
-- KEYS  1 webhooks     ARGV  1 id  2 the webhook  3 how many a player may have  4 lifetime, ms
-- Answer: 1; 0 where there are too many. One that is there already was put by the same request, whose answer was lost.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
